import { resolve } from 'node:path';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import type { Figure } from '../figure.ts';
import { secretName } from '../fixture.ts';

const CONTAINERS = 200;
const QUICK_CONTAINERS = 40;
/** Cold containers that start at the same time; more would only wait for a core. */
const AT_A_TIME = 20;
const BUSINESS_ID = 'MDM00000000001';

/** Logins that 200 cold containers make together, which share their session through Redis. */
export const logins: Figure = {
  name: 'logins',
  ids: ['logins'],
  async measure(bench) {
    const mdm = await startSandboxMdm();
    const record = { firstName: 'Lewis', lastName: 'Carroll' };
    mdm.records.submit({ entity: 'c360.person', sourceSystem: 'c360.default.system', sourcePKey: '1', record });
    const secret = { mdm: { ...mdm.secret, sessionStore: 'redis' }, redis: { url: bench.redis.url } };
    bench.secrets.set(secretName('shared'), secret);
    const event = { configRef: 'shared', businessEntity: 'c360.person', businessId: BUSINESS_ID };
    bench.build();
    const handler = resolve('dist/mdm-master-read/index.cjs'); // with the store, which ships where sharedSession is on
    const containers = bench.isQuick ? QUICK_CONTAINERS : CONTAINERS;
    for (let started = 0; started < containers; started += AT_A_TIME) {
      await Promise.all(Array.from({ length: AT_A_TIME }, () => bench.invoke(handler, [event])));
    }
    const values = [mdm.logins];
    await mdm.close();
    return [{ id: 'logins', values }];
  },
};
