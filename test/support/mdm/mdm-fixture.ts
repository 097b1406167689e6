import { startSandboxMdm, type SandboxMdm } from '#sandbox/mdm/index.ts';
import { startFixture, type Fixture } from '../stream/stream-fixture.ts';

/** The packaged functions on a sandbox MDM and a Redis, both empty. */
export interface MdmFixture extends Fixture {
  readonly mdm: SandboxMdm;
}

/** Sets up a fixture with a sandbox MDM behind the configRef `default`. */
export async function startMdmFixture(): Promise<MdmFixture> {
  const mdm = await startSandboxMdm();
  const fixture = await startFixture({
    secrets: (url) => ({ default: { redis: { url }, mdm: mdm.secret } }),
  });
  return {
    ...fixture,
    mdm,
    async stop() {
      await Promise.all([fixture.stop(), mdm.close()]);
    },
  };
}
