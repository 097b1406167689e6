import { afterEach, expect, it, jest } from '@jest/globals';
import { Headers } from 'node-fetch';
import type { MdmClient, MdmRequest } from '#lib/mdm/client/client.ts';
import { readDataModel } from '#lib/mdm/metadata/data-model.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** A client of a tenant that counts what it is asked for. */
function clientOf(username: string) {
  const requests: MdmRequest[] = [];
  const auth = { type: 'login-v3', loginUrl: 'https://login.example.com', username, password: 'p' };
  const mdm = {
    config: { auth, paths: { metadata: '/metadata' } },
    send: (request: MdmRequest) => {
      requests.push(request);
      return Promise.resolve({
        status: 200,
        reason: 'OK',
        headers: new Headers(),
        body: Buffer.from('{"businessEntity":[]}'),
      });
    },
  };
  return { requests, mdm: mdm as unknown as MdmClient };
}

it('caches a data model for five minutes, then asks for a current one', async () => {
  const { mdm, requests } = clientOf('a');
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);

  await readDataModel(mdm);
  clock.mockReturnValue(5 * 60_000 - 1);
  await readDataModel(mdm);
  const before = Date.now();
  clock.mockReturnValue(5 * 60_000);
  await readDataModel(mdm);

  expect(requests.map(({ headers }) => Number(headers?.MODEL_VERSION ?? 0) >= before)).toEqual([false, true]);
});

it('caches the models of the last four tenants', async () => {
  const tenants = ['b', 'c', 'd', 'e', 'f'].map(clientOf);

  for (const { mdm } of tenants) await readDataModel(mdm);
  for (const { mdm } of [...tenants].reverse()) await readDataModel(mdm);

  expect(tenants.map(({ requests }) => requests.length)).toEqual([2, 1, 1, 1, 1]);
});

it('shares a read that is under way, but waits for none that was frozen with its container', async () => {
  const { mdm: frozen } = clientOf('g');
  const { mdm, requests } = clientOf('g');
  frozen.send = () => new Promise(() => {});
  void readDataModel(frozen);
  void readDataModel(mdm);
  expect(requests).toHaveLength(0);
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now + 60_000); // the monotonic clock stands still

  const { entities } = await readDataModel(mdm);

  expect(entities).toEqual([]);
  expect(requests).toHaveLength(1);
});
