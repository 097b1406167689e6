/*
 * Read by serverless.yml: its functions, roles, schedules, alarms and outputs, made from the contracts and the
 * parameters of the deployment. Invalid parameters end the command here, before anything is packaged. Stale
 * bundles are built again.
 */
module.exports = async ({ options, resolveConfigurationProperty, resolveVariable }) => {
  const { ensureBundles, ensureLocalBundles } = await import('../scripts/build/bundles.ts');
  const { deployedFunctions } = await import('./functions.ts');
  const { LOCAL_STAGE } = await import('./names.ts');
  const { readParameters } = await import('./read-parameters.ts');
  const { templateOf } = await import('./template.ts');
  const given = {
    service: await resolveConfigurationProperty(['service']),
    stage: await resolveVariable('sls:stage'),
    region: await resolveConfigurationProperty(['provider', 'region']),
    commandLine: [options.param ?? []].flat(),
    blocks: (await resolveConfigurationProperty(['params'])) ?? {},
  };
  try {
    const deployment = readParameters(given);
    if (deployment.stage === LOCAL_STAGE) ensureLocalBundles();
    else ensureBundles(deployedFunctions(deployment).map(({ name }) => name));
    return templateOf(deployment);
  } catch (error) {
    throw error.name === 'ParameterError' ? Object.assign(error, { stack: error.message }) : error;
  }
};
