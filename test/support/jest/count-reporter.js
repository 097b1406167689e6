const KILLED = 'A worker process has failed to exit gracefully';

/** Jest reporter that closes a run with its count on a line of its own, and fails it where a worker had to be killed. */
export default class CountReporter {
  #error;

  onRunStart() {
    const report = console.error;
    console.error = (...words) => {
      if (String(words[0]).includes(KILLED)) this.#error = new Error('A worker had to be killed'); // Jest only prints it
      report(...words);
    };
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests }) {
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    const killed = this.#error ? ', a worker had to be killed' : '';
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    process.on('exit', () => process.stdout.write(`${numPassedTests} passed, ${failed} failed${skipped}${killed}\n`));
  }

  getLastError() {
    return this.#error;
  }
}
