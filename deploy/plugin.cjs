/*
 * A plugin of the framework. functions.yml lists every function as the contracts have it; this keeps those that the
 * deployment has, with its settings for each: name, role, network, the sign-in of routes.
 */
module.exports = function keepDeployed(serverless) {
  const { functions: listed, custom } = serverless.configurationInput;
  const deployed = Object.entries(custom.deployment.functions).map(([name, settings]) => {
    if (!(name in listed)) throw new Error(`functions.yml lacks ${name}: run npm run generate`);
    return [name, { ...listed[name], ...settings }];
  });
  serverless.extendConfiguration(['functions'], Object.fromEntries(deployed));
};
