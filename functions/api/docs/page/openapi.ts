import type { Document, Media, ResponseObject, Statement } from './document.ts';
import { parametersOf, resolve, type Parameter } from './parameters.ts';

/** An operation as this page shows it. */
export interface Operation {
  readonly id: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The contract's example, as JSON text. */
  readonly example: string;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly Outcome[];
  /** What it states of the master data API. */
  readonly statements: readonly Statement[];
}

export interface Outcome {
  readonly status: string;
  readonly description: string;
  /** Media types, each with an example as text if the document has one. */
  readonly media: readonly { type: string; example?: string }[];
}

/** The operations of a document, in its order. */
export function readOperations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    if (!post) return [];
    const media = post.requestBody?.content?.['application/json'];
    const schema = resolve(document, media?.schema);
    return [
      {
        id: post.operationId,
        path,
        tag: post.tags?.[0] ?? '',
        summary: post.summary ?? '',
        description: post.description ?? '',
        example: write(exampleOf(media)) ?? '{}',
        parameters: parametersOf(document, schema),
        responses: Object.entries(post.responses ?? {}).map(([status, response]) =>
          outcomeOf(status, resolveResponse(document, response)),
        ),
        statements: post['x-known-from'] ?? [],
      },
    ];
  });
}

function resolveResponse(document: Document, response: ResponseObject): ResponseObject {
  const name = /^#\/components\/responses\/(.+)$/.exec(response.$ref ?? '')?.[1];
  return name === undefined ? response : (document.components?.responses?.[name] ?? {});
}

function outcomeOf(status: string, { description = '', content = {} }: ResponseObject): Outcome {
  const media = Object.entries(content).map(([type, one]) => ({ type, example: write(exampleOf(one)) }));
  return { status, description, media };
}

function exampleOf(media: Media | undefined): unknown {
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
}

function write(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
