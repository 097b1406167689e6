/*
 * Read by serverless.yml: its functions, roles, schedules, alarms and outputs, made from the contracts and the
 * parameters of the deployment. Invalid parameters end the command here, before anything is packaged. Stale
 * bundles are built again.
 */

/** Commands that use what was deployed before. */
const WITHOUT_BUNDLES = ['rollback', 'remove', 'list', 'info'];

module.exports = async ({ options, resolveConfigurationProperty, resolveVariable }) => {
  const { ensureBundles } = await import('../scripts/build/bundles.ts');
  const { deployedFunctions } = await import('./functions.ts');
  const { LOCAL_STAGE } = await import('./names.ts');
  const { readParameters } = await import('./read-parameters.ts');
  const { FILE_VARIABLE, readParametersFile } = await import('./parameters-file.ts');
  const { templateOf } = await import('./template.ts');
  const stage = await resolveVariable('sls:stage');
  const framework = {
    service: await resolveConfigurationProperty(['service']),
    stage,
    region: await resolveConfigurationProperty(['provider', 'region']),
    commandLine: [options.param ?? []].flat(),
    blocks: (await resolveConfigurationProperty(['params'])) ?? {},
  };
  try {
    const deployment = readParameters({ ...framework, file: readParametersFile(stage, process.env[FILE_VARIABLE]) });
    const isPackaged = deployment.stage !== LOCAL_STAGE; // the local stack bundles functions when they are called
    if (isPackaged && !WITHOUT_BUNDLES.some((command) => process.argv.includes(command)))
      ensureBundles(deployedFunctions(deployment).map(({ name }) => name));
    return templateOf(deployment);
  } catch (error) {
    throw error.name === 'ParameterError' ? Object.assign(error, { stack: error.message }) : error;
  }
};
