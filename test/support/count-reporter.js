/** Jest reporter that closes a run with its count on a line of its own. */
export default class CountReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests }) {
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    this.line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed${skipped}`;
    process.on('exit', () => process.stdout.write(`${this.line}\n`));
  }
}
