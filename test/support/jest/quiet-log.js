/** Warnings of the code under test stay out of the test output. */
process.env.LOG_LEVEL ??= 'error';
