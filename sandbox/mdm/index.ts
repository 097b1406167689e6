export { startSandboxMdm, type SandboxMdm, type SandboxOptions } from './server.ts';
export type { Misbehaviour } from './misbehaviour.ts';
