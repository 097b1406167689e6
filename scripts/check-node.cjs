/*
 * Run before the scripts that people start: an older Node cannot read TypeScript, and would show a stack trace. On
 * Linux x64, npm brings a Node of its own.
 */

const NEEDED = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  console.error(
    `Node ${process.versions.node} is too old: this project needs ${NEEDED.join('.')} or newer. ` +
      'Install Node 24 from https://nodejs.org, or with nvm install 24.',
  );
  process.exitCode = 1;
}
