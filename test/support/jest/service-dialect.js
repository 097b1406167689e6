/** The sandbox MDM answers as the documentation of the service behind the API says. */
process.env.SANDBOX_DIALECT = 'service';
