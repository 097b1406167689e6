import { ManifestSchema } from '#deploy/manifest.schema.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

/** The JSON Schema of `manifest.json`. */
export function manifestSchemaFile(): GeneratedFile {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', $comment: GENERATED, ...ManifestSchema };
  return { path: 'docs/manifest.schema.json', contents: JSON.stringify(schema) };
}
