/** Paths of tests that call no bundled function. */
const FROM_SOURCE = /^(\.\/)?test\/(unit|contract)\b/;

/**
 * Before all tests: bundles the functions for which this is due, unless every path named is one of tests from source.
 */
export default async function bundleFunctions({ nonFlagArgs }) {
  if (nonFlagArgs.length > 0 && nonFlagArgs.every((path) => FROM_SOURCE.test(path))) return;
  const { ensureLocalBundles } = await import('../../../scripts/build/bundles.ts');
  ensureLocalBundles();
}
