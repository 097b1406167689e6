const KILLED = 'A worker process has failed to exit gracefully';
const SHOWN_FILES = 10;

/**
 * Jest reporter that closes a run with its slowest files, and its count on a line of its own. Fails a run in which a
 * worker had to be killed.
 */
export default class CountReporter {
  #error;
  #files = [];

  onRunStart() {
    const report = console.error;
    console.error = (...words) => {
      // Jest only prints it
      if (String(words[0]).includes(KILLED)) this.#error = new Error('A worker had to be killed');
      report(...words);
    };
  }

  onTestResult({ path, context }, { perfStats }) {
    this.#files.push({ path: path.slice(context.config.rootDir.length + 1), seconds: perfStats.runtime / 1000 });
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests }) {
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    const killed = this.#error ? ', a worker had to be killed' : '';
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const lines = [...this.#slowest(), `${numPassedTests} passed, ${failed} failed${skipped}${killed}`];
    process.on('exit', () => process.stdout.write(`${lines.join('\n')}\n`));
  }

  #slowest() {
    if (this.#files.length <= SHOWN_FILES) return [];
    const slowest = this.#files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN_FILES);
    return ['Slowest files:', ...slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`)];
  }

  getLastError() {
    return this.#error;
  }
}
