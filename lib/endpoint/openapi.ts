import { fitsAny } from '../invocation/access.ts';

/** What of an OpenAPI document depends on its operations. */
interface Document {
  tags: { name: string }[];
  paths: Record<string, { post: { operationId: string; tags: string[] } }>;
  components: Record<string, object>;
}

/** Components that nothing refers to by their path. */
const NAMED = ['securitySchemes'];

/**
 * The document with those operations alone that a deployment has, and what they refer to.
 *
 * @param patterns patterns of their names, in which `*` stands for any text
 */
export function withOperations(document: Document, patterns: readonly string[]): Document {
  const kept = Object.entries(document.paths).filter(([, { post }]) => fitsAny(patterns, post.operationId));
  if (kept.length === Object.keys(document.paths).length) return document;
  const paths = Object.fromEntries(kept);
  const used = new Set(kept.flatMap(([, { post }]) => post.tags));
  const tags = document.tags.filter(({ name }) => used.has(name));
  return { ...document, tags, paths, components: reachable(document.components, paths) };
}

/** The components that a part of the document refers to, directly or through others. */
function reachable(components: Document['components'], from: unknown): Document['components'] {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, path] of JSON.stringify(part).matchAll(/"#\/components\/(\w+\/[^"/]+)/g)) {
      if (found.has(path!)) continue;
      found.add(path!);
      const [kind, name] = path!.split('/') as [string, string];
      visit((components[kind] as Record<string, unknown>)[name]);
    }
  };
  visit(from);
  const keep = (kind: string, all: object) =>
    Object.entries(all).filter(([name]) => NAMED.includes(kind) || found.has(`${kind}/${name}`));
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [kind, Object.fromEntries(keep(kind, all))]),
  );
}
