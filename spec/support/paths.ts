import path from 'node:path'

/** The project's folder. */
export const root = path.join(import.meta.dirname, '../..')

/** The real agent. */
export const dshComposition = path.join(root, 'fixtures/compositions/dsh/cordis.yml')

/** The scenarios that come with the project. */
export const bundledScenarios = path.join(root, 'fixtures/scenarios')
