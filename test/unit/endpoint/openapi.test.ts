import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { withOperations } from '#lib/endpoint/openapi.ts';

const openapi = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Parameters<typeof withOperations>[0];
const pathsOf = (...patterns: string[]) => Object.keys(withOperations(openapi, patterns).paths);

describe('the OpenAPI document of a deployment', () => {
  it('has every operation by default', () => {
    expect(withOperations(openapi, ['*'])).toBe(openapi);
  });

  it('has the operations that are deployed, and no other', () => {
    expect(pathsOf('mdm-master-read', 'stream-consumer', 'stream-x*del')).toEqual([
      '/mdm/master-read',
      '/stream/xdel',
      '/stream/xackdel',
    ]);
    expect(pathsOf('api-openapi')).toEqual([]);
  });

  it('has the tags and components that its operations refer to, and no other', () => {
    const { tags, components, ...rest } = withOperations(openapi, ['stream-xlen']);

    const text = JSON.stringify({ components, rest });
    const named = [...text.matchAll(/"#\/components\/(\w+)\/(\w[\w.-]*)"/g)].map(([, kind, name]) => [kind!, name!]);
    expect(tags.map(({ name }) => name)).toEqual(['streams']);
    expect(named.length).toBeGreaterThan(10);
    for (const place of named) expect(components).toHaveProperty(place);
    const { securitySchemes, ...others } = components;
    const kept = Object.entries(others).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
    expect(kept.sort()).toEqual([...new Set(named.map((place) => place.join('/')))].sort());
    expect(securitySchemes).toEqual(openapi.components.securitySchemes);
  });
});
