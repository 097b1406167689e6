export { startSandboxMdm, type SandboxMdm, type SandboxOptions } from './server.ts';
export { DIALECTS, type DialectName } from './records/dialect.ts';
export type { Misbehaviour } from './misbehaviour.ts';
export { dialectOf, type Dialect } from './records/dialect.ts';
export { readRecording, type Recording } from './recording/recording.ts';
