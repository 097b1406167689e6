/** What the code under test logs in this process is not for the one who reads the test's output. */
process.env.LOG_LEVEL ??= 'error';
