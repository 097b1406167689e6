import { startSandboxMdm, type SandboxMdm } from './sandbox-mdm/index.ts';
import { setStage, type Stage } from './stream-stage.ts';

/** The packaged functions on a sandbox MDM and a Redis, both empty. */
export interface MdmStage extends Stage {
  readonly mdm: SandboxMdm;
}

/** Sets up a stage with a sandbox MDM behind the configRef `default`. */
export async function setMdmStage(): Promise<MdmStage> {
  const mdm = await startSandboxMdm();
  const stage = await setStage({
    ownRedis: true,
    secrets: (url) => ({ default: { redis: { url }, mdm: mdm.secret } }),
  });
  return {
    ...stage,
    mdm,
    async stop() {
      await Promise.all([stage.stop(), mdm.close()]);
    },
  };
}
