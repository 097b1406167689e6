import { writeFile } from 'node:fs/promises';
import { ScriptError } from '../arguments.ts';

/** A configuration of everything that most deployments need, with values to replace. */
const NEW = `{
  "mdm": {
    "auth": {
      "type": "login-v3",
      "loginUrl": "https://login.mdm.example",
      "username": "connector",
      "password": "replace me"
    }
  },
  "redis": { "url": "rediss://functions:replace-me@redis.example:6379/0" },
  "ingest": {
    "stream": "source-submit",
    "shards": 16,
    "deadLetterMaxAgeMs": 7776000000,
    "consumer": { "trim": true }
  }
}
`;

/**
 * Writes a configuration to fill in, for its owner alone.
 *
 * @throws {ScriptError} if the file exists, or cannot be written
 */
export async function writeNewSecret(path: string): Promise<void> {
  await writeFile(path, NEW, { flag: 'wx', mode: 0o600 }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new ScriptError(code === 'EEXIST' ? `${path} exists` : `${path} cannot be written: ${code}`);
  });
}
