/** How the functions are bundled, and where: for a release, or for the local stack and tests. */
export type Form = 'release' | 'local';

/** Folders of the bundles, a folder for each function below. */
export const BUNDLES = { release: 'dist', local: '.build/functions' } as const satisfies Record<Form, string>;

/** The module that bundles functions of the local stack when they are called. */
export const ON_DEMAND = 'scripts/build/on-demand';
