const { writeFileSync } = require('node:fs');
const { resolve } = require('node:path');

/*
 * A plugin of the framework. functions.yml lists every function as the contracts have it; this keeps those that the
 * deployment has, with its settings for each: name, role, network, the sign-in of routes. It writes the manifest beside
 * the zips.
 */
module.exports = function deployPlugin(serverless, options) {
  const { functions: listed, custom } = serverless.configurationInput;
  const deployed = Object.entries(custom.deployment.functions).map(([name, settings]) => {
    if (!(name in listed)) throw new Error(`functions.yml lacks ${name}: run npm run generate`);
    return [name, { ...listed[name], ...settings }];
  });
  serverless.extendConfiguration(['functions'], Object.fromEntries(deployed));
  const folder = resolve(serverless.serviceDir, options.package ?? '.serverless');
  const names = deployed.map(([name]) => name);
  this.hooks = { 'after:package:finalize': () => writeManifest(names, folder) };
};

async function writeManifest(names, folder) {
  const { MANIFEST, manifestOf } = await import('./manifest.ts');
  writeFileSync(resolve(folder, MANIFEST), `${JSON.stringify(manifestOf(names, folder), null, 2)}\n`);
}
