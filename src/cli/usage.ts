/** What the command line can say. */
export const usage = `Usage: acp-snapshot run <folder…> [name…] [--composition <file>] [--rules <module>]
                        [--host in-process|subprocess] [--drift error|report] [--explain]
                        [--max-lines <n>] [--json]
       acp-snapshot record <folder…> [name…] [--composition <file>] [--rules <module>] [--json]
       acp-snapshot refresh <folder…> [name…] [--composition <file>] [--rules <module>]
                        [--yes] [--max-lines <n>] [--json]
       acp-snapshot verify <folder…> [--json]
       acp-snapshot inspect <folder> [--json]
       acp-snapshot serve --config <file>
       acp-snapshot serve --config <file> --check [--json]
       acp-snapshot --help | --version

  run       replays each scenario folder, or every one below a folder, and compares what the agent
            says and logs with its recording. Exit code 0 only if all are equal.
  record    runs each scenario with its real provider and writes its logs, expected output and pins.
            The provider's key comes from the environment, or from an .env in the composition's folder.
            Nothing of a scenario is written but all at once, when it ended well and replays.
  refresh   replays each scenario, without a key, and writes its logs, expected output and pins as
            they are now: shows what changes, and asks first.
  verify    lists everything that is wrong with the files of each scenario folder, or of every one
            below a folder. Runs nothing. Exit code 0 only if there is nothing.
  inspect   prints what a scenario folder holds, or every one below a folder, event by event. Exit
            code 1 if some file can't be read or breaks its format.
  serve     runs the agent of a composition in this process: ACP over standard input and output, until
            the input ends. DSH_SNAPSHOT=replay answers its model from a recording. With --check it
            mounts nothing, but imports all plugins and lists what each exports and what the Loader
            keeps of it. Exit code 1 if some plugin loses something or can't be imported.

  name                  only the scenarios in these folders that have one of the names
  --composition <file>  the Loader configuration to mount, such as a cordis.yml, for scenarios whose
                        suite.json names none; by default the nearest cordis.yml upwards
  --host subprocess     run the agent in a process of its own, on the real disk; by default (in-process)
                        it runs in this one
  --drift report        let a run go on after a model request that differs from its recording, and list
                        it with the other differences; by default (error) it ends the run
  --rules <module>      further rules of normalisation: the list that the module exports as "rules"
  --config <file>       the Loader configuration to serve or check; no overlay is looked for to check
  --explain             say which rule of the normalisation changed what
  --max-lines <n>       how long the report of one scenario may be; 59 by default
  --yes, -y             write without asking
  --json                print one JSON document instead of lines`
