/** The plugin's name in the kernel. @public */
export const name = 'llm-replay'

/** The services that the plugin asks for. @public */
export const inject: readonly string[] = ['llm']
