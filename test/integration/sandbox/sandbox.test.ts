import { describe, expect, it } from '@jest/globals';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { use } from '../../support/jest/use.ts';

/* How people control the sandbox over HTTP, and what tests rely on. */

const mdm = await use(startSandboxMdm());
const headers = { 'IDS-SESSION-ID': mdm.sessions.open('sandbox', 'sandbox-password')! };

const ENTITY = '/business-entity/public/api/v1/entity/c360.city';
const post = (path: string, body?: object) =>
  fetch(mdm.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
const submit = (key: string, record: object) => post(`${ENTITY}?sourceSystem=crm&sourcePKey=${key}`, record);
const city = (name: string) => ({ name, country: { Code: 'DE' } });
const golden = async (key: string) =>
  (await fetch(`${mdm.url}${ENTITY}/crm/${key}`, { headers })).json() as Promise<{ _meta: { businessId: string } }>;

describe('the sandbox', () => {
  it('the sandbox misbehaves as asked over HTTP, and then behaves again', async () => {
    await post('/sandbox/misbehave', { status: 503, headers: { 'retry-after': '7' }, times: null });
    const struck = await fetch(`${mdm.url}/metadata/api/v2/objects/relationship`, { headers });
    await fetch(`${mdm.url}/sandbox/misbehave`, { method: 'DELETE' });
    const answered = await fetch(`${mdm.url}/metadata/api/v2/objects/relationship`, { headers });

    expect([struck.status, struck.headers.get('retry-after'), answered.status]).toEqual([503, '7', 200]);
  });

  it('the sandbox can carry a request out and lose its response', async () => {
    mdm.misbehave({ after: true, reset: true });

    await expect(submit('lost', city('Lostau'))).rejects.toThrow();

    expect((await golden('lost'))._meta.businessId).toMatch(/^MDM/);
  });

  it('the sandbox moves a source record to another golden record when it no longer matches', async () => {
    await submit('a', city('Bonn'));
    await submit('b', city('bonn '));
    const together = await Promise.all(['a', 'b'].map(golden));
    await submit('b', city('Beuel'));
    const apart = await Promise.all(['a', 'b'].map(golden));

    expect(together[0]!._meta.businessId).toBe(together[1]!._meta.businessId);
    expect(apart[0]!._meta.businessId).not.toBe(apart[1]!._meta.businessId);
    expect(apart[0]).toMatchObject({ name: 'Bonn' });
  });

  it('the sandbox accepts decimal numbers as text, as the check of a record does', async () => {
    const location = { latitude: '50.7344', longitude: 7 };

    expect((await submit('decimal', { ...city('Bonn am Rhein'), location })).status).toBe(201);
    expect(await golden('decimal')).toMatchObject({ location });
    const wrong = { latitude: 'north', longitude: 7 };
    expect((await submit('wrong', { ...city('Bonn am Main'), location: wrong })).status).toBe(400);
  });

  it('the sandbox refuses a filter that compares with an object as a fault of the caller', async () => {
    const filter = [{ comparator: 'EQUALS', fieldName: 'name', fieldValueGroups: [{ toString: null }] }];
    const searched = await post('/search/public/api/v1/search', {
      entityType: 'c360.city',
      search: '*',
      filters: { filter },
    });

    expect([searched.status, await searched.text()]).toEqual([400, expect.stringContaining('compares with text')]);
  });

  it('the sandbox lists what it holds', async () => {
    const summary = (await (await fetch(`${mdm.url}/sandbox`)).json()) as { entities: object[] };

    expect(summary.entities).toContainEqual({ id: 'c360.city', golden: 4, sources: 4 });
  });

  it('the sandbox ends sessions on request', async () => {
    await post('/sandbox/expire-sessions');

    expect((await submit('c', city('Köln'))).status).toBe(401);
  });
});
