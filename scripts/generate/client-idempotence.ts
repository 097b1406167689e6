import type { Operation } from '#lib/contract/operation.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

/** Which calls may be carried out twice, for the client: it decides on retries if no operation responded. */
export function clientIdempotenceFile(registry: readonly Operation[]): GeneratedFile {
  const rows = registry.map(({ name, idempotent }) => `'${name}': ${JSON.stringify(idempotent)},`);
  const contents = `// ${GENERATED}

import type { Idempotence } from '../core/idempotence.ts';

/** Whether a call of each operation may be carried out twice. A deployment may have others, of another version. */
export const IDEMPOTENCE: Readonly<Partial<Record<string, Idempotence>>> = {
${rows.join('\n')}
};
`;
  return { path: 'lib/client/idempotence.generated.ts', contents };
}
