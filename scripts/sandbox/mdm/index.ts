export { startSandboxMdm, type SandboxMdm, type SandboxOptions, type SeenRequest } from './server.ts';
export type { Misbehaviour } from './misbehaviour.ts';
export { ENTITIES, SOURCE_SYSTEMS } from './data-model.ts';
