/*
 * The causes of failures that lie in a world around the connector: a server, a network, a secret, a right. Each has one
 * text for the error, and the likely cure as its hint. docs/guides/troubleshooting.md is made of this table.
 */

/** A cause. Names in braces stand for values of the failure. */
export interface Cause {
  /** HTTP status and error type, as callers see them. */
  readonly seen: string;
  /** The text of the error: what failed, where. */
  readonly detail: string;
  /** Why it fails, for the page. */
  readonly why: string;
  /** What most likely repairs it. */
  readonly hint: string;
}

const REDIS_LOST = '503 `STREAM:COMMAND`';
const REDIS_LATE = '504 `STREAM:COMMAND`';
const REDIS_REFUSES = '502 `STREAM:COMMAND`';
const MDM_LOST = '503 `MDM:CONNECTIVITY`';
const MDM_LATE = '504 `MDM:TIMEOUT`';
const CONFIGURATION = '500 `CONNECTOR:CONFIGURATION`';

export const CAUSES = {
  'secret-denied': {
    seen: CONFIGURATION,
    detail: 'The secret of configRef {configRef} cannot be read: AWS refused it ({error})',
    why: "The function's role lacks the right to read the secret, or a policy of the secret denies it.",
    hint: 'Allow secretsmanager:GetSecretValue for the function: the deployment does so under its secretPrefix.',
  },
  'secret-key': {
    seen: CONFIGURATION,
    detail: 'The secret of configRef {configRef} cannot be read: AWS could not decrypt it ({error})',
    why: "The function's role lacks the right to the secret's KMS key, or the key is disabled.",
    hint: 'Allow kms:Decrypt for the role of the function: deploy with kmsKeyArn, the key of the secret.',
  },
  'secret-withdrawn': {
    seen: CONFIGURATION,
    detail: 'The secret of configRef {configRef} cannot be read: it is not in use ({error})',
    why: 'The secret is scheduled for deletion.',
    hint: 'Restore it: aws secretsmanager restore-secret --secret-id <secretPrefix><configRef>',
  },
  'secret-missing': {
    seen: '400 `MDM:CLIENT_ERROR` or `STREAM:ARGUMENT`',
    detail: '/configRef names no connector configuration',
    why: "No secret has this name under the stack's prefix.",
    hint: 'Create the secret <secretPrefix><configRef>; the default prefix is mdm-stream/<stage>/.',
  },
  'secret-throttled': {
    seen: `${CONFIGURATION}, \`retryable\``,
    detail: 'The secret of configRef {configRef} cannot be read: Secrets Manager failed or throttles ({error})',
    why: 'Secrets Manager has too many requests, or fails.',
    hint: 'Repeat the call. If it happens often, deploy with a larger secretTtlMs.',
  },
  'secret-unreachable': {
    seen: `${CONFIGURATION}, \`retryable\``,
    detail: 'The secret of configRef {configRef} cannot be read: Secrets Manager is out of reach ({error})',
    why: 'Private subnets have no way to Secrets Manager.',
    hint: 'In a VPC, add a NAT gateway or an endpoint for Secrets Manager, and security groups that allow it.',
  },
  'secret-empty': {
    seen: CONFIGURATION,
    detail: 'The secret of configRef {configRef} is empty',
    why: 'The secret has no text, or holds bytes.',
    hint: 'Store the configuration as text (SecretString). Check it before: npm run secret -- check FILE',
  },
  'secret-not-json': {
    seen: CONFIGURATION,
    detail: 'The secret of configRef {configRef} is not JSON',
    why: 'The text of the secret is no JSON object, such as key-value pairs or a file with comments.',
    hint: 'Check the file before you store it: npm run secret -- check FILE',
  },
  'redis-no-address': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: {address} has no address ({code})',
    why: 'The host name has a typo, or is known only inside of a VPC.',
    hint: 'Check the host in redis.url or redis.nodes, and that the functions are in the VPC that knows it.',
  },
  'redis-refused': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: nothing accepts connections at {address} ({code})',
    why: 'The port is wrong, or the server is down.',
    hint: 'Check the port in redis.url or redis.nodes, and that the server runs.',
  },
  'redis-unanswered': {
    seen: `${REDIS_LOST} or 504`,
    detail: 'Redis did not answer in time: no answer to the connection to {address}',
    why: 'A firewall drops the packets: a security group, a subnet without a route, or the wrong port.',
    hint: 'Check security group, subnet and port: deploy with vpcSubnetIds and vpcSecurityGroupIds.',
  },
  'redis-speaks-tls': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: {address} speaks TLS',
    why: 'The URL begins with `redis://`, and the server expects TLS.',
    hint: 'Use rediss:// in the URL.',
  },
  'redis-no-tls': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: {address} does not speak TLS',
    why: 'The URL begins with `rediss://`, and the server, or this port of it, speaks plain TCP.',
    hint: 'Use redis:// in the URL, or the port for TLS.',
  },
  'redis-certificate': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: the certificate of {address} is not trusted ({code})',
    why: 'The certificate is of a private CA, or has expired.',
    hint: 'Set redis.ca to the certificate of the CA; renew a certificate that has expired.',
  },
  'redis-certificate-name': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: the certificate of {address} is for another name ({code})',
    why: 'The host of the URL is not the one that the certificate names.',
    hint: 'Use the name of the certificate in the URL, or set redis.servername, on a cluster also nodeAddressMap.',
  },
  'redis-client-certificate': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: {address} ended the TLS connection before it answered ({code})',
    why: 'The server asks clients for a certificate, does not know the name of the host, or has just stopped.',
    hint: 'Set redis.cert and redis.key, the certificate of the client; check redis.servername.',
  },
  'redis-silent': {
    seen: REDIS_LATE,
    detail: 'Redis did not answer in time: {address} took the connection, but does not reply',
    why: 'The server hangs or is overloaded, or something else listens at that port.',
    hint: 'Look for slow commands (SLOWLOG GET), and check the port. redis.commandTimeoutMs is the time for a command.',
  },
  'redis-slow': {
    seen: REDIS_LATE,
    detail: 'Redis did not answer in time: connected to {address}, but the reply is late',
    why: 'The server is busy, a command is slow, or the connection is half open.',
    hint: 'Look for slow commands (SLOWLOG GET). redis.commandTimeoutMs is the time for a command.',
  },
  'redis-broken': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: the connection to {address} broke ({code})',
    why: 'The server or the network closed the connection: a restart, a failover, an idle limit.',
    hint: 'Failures like this are usually transient: repeat the call if the error is retryable.',
  },
  'redis-ended': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: {address} ended the connection before it answered ({code})',
    why: 'Something other than Redis listens at that port, or the server has just stopped.',
    hint: 'Check the port in redis.url or redis.nodes. If the server has just restarted, repeat the call.',
  },
  'redis-cluster-node': {
    seen: CONFIGURATION,
    detail: 'Redis is a node of a cluster, and redis.mode is not "cluster"',
    why: 'The server is one of several that share the keys.',
    hint: 'Set redis.mode to "cluster", with redis.nodes in place of redis.url.',
  },
  'redis-no-cluster': {
    seen: CONFIGURATION,
    detail: 'Redis is not a cluster, and redis.mode is "cluster"',
    why: 'A node of the configuration has all keys itself.',
    hint: 'Set redis.mode to "standalone", with redis.url in place of redis.nodes.',
  },
  'redis-database': {
    seen: CONFIGURATION,
    detail: 'The server does not have the database number of redis.url',
    why: 'The number is too large for the server, or the server is a node of a cluster, which has none.',
    hint: 'Correct the number at the end of redis.url, or leave it out: the server has CONFIG GET databases.',
  },
  'redis-no-sentinel': {
    seen: CONFIGURATION,
    detail: '{address} is no Sentinel',
    why: '`redis.mode` is `sentinel`, but a node is a plain Redis server.',
    hint: 'Name the sentinels in redis.nodes (usually port 26379), or set redis.mode to "standalone" with redis.url.',
  },
  'redis-sentinel-name': {
    seen: CONFIGURATION,
    detail: 'No sentinel knows redis.sentinelName',
    why: 'The sentinels watch no master with this name.',
    hint: 'Correct redis.sentinelName: SENTINEL MASTERS lists the names.',
  },
  'redis-replica': {
    seen: REDIS_LOST,
    detail: '{address} is a replica: {reply}',
    why: 'The URL names a replica, or a former master after a failover.',
    hint: 'Use the address of the primary in redis.url: the primary endpoint of the service, not the reader endpoint.',
  },
  'redis-no-master': {
    seen: REDIS_LOST,
    detail: 'Redis is out of reach: no server is the master',
    why: 'A failover is under way, or the sentinels name a former master.',
    hint: 'Wait for the failover to end. If it does not, look at SENTINEL MASTERS.',
  },
  'redis-full': {
    seen: `${REDIS_LOST} with the code \`OOM\``,
    detail: '{reply}',
    why: 'Redis has reached `maxmemory` and refuses writes.',
    hint: 'Free or add memory: trim streams (ingest.consumer.trim, stream-xtrim), or raise maxmemory.',
  },
  'redis-loading': {
    seen: `${REDIS_LOST} with the code \`LOADING\``,
    detail: '{reply}',
    why: 'Redis has restarted and reads its data.',
    hint: 'Repeat the call. Loading takes seconds to minutes, by the size of the data.',
  },
  'redis-degraded': {
    seen: `${REDIS_LOST} with \`CLUSTERDOWN\`, \`MASTERDOWN\`, \`TRYAGAIN\`, \`NOREPLICAS\`, \`MISCONF\` or \`BUSY\``,
    detail: '{reply}',
    why: 'Redis is not in a state to serve the call.',
    hint:
      'Look at the server: CLUSTER INFO, INFO replication, INFO persistence. Most of these states end by ' +
      'themselves.',
  },
  'redis-login': {
    seen: `${REDIS_REFUSES} with the code \`WRONGPASS\` or \`NOAUTH\``,
    detail: '{reply}',
    why: 'User or password of the secret are wrong or missing.',
    hint: 'Correct user and password in redis.url, percent-encoded. The secret is read again with the next call.',
  },
  'redis-right': {
    seen: `${REDIS_REFUSES} with the code \`NOPERM\``,
    detail: '{reply}',
    why: 'The Redis user lacks a right.',
    hint: 'Grant it with ACL SETUSER: docs/redis.md lists the rights of each operation.',
  },
  'redis-command': {
    seen: '422 `STREAM:COMMAND`',
    detail: 'Redis does not know this command',
    why: 'The server is older than the command, renames it, or is a Sentinel.',
    hint:
      'Check the version of the server (INFO server), and rename-command in its configuration. A Sentinel, usually ' +
      'at port 26379, needs redis.mode "sentinel".',
  },
  'mdm-no-address': {
    seen: MDM_LOST,
    detail: 'The connection to {place} failed: the host has no address ({code})',
    why: 'The host name has a typo, or the network has no DNS.',
    hint: 'Check mdm.auth.loginUrl for the login, mdm.baseUrl for the API.',
  },
  'mdm-refused': {
    seen: MDM_LOST,
    detail: 'The connection to {place} failed: nothing accepts it ({code})',
    why: 'The port is wrong, or the service is down.',
    hint: 'Check mdm.auth.loginUrl for the login, mdm.baseUrl for the API.',
  },
  'mdm-no-tls': {
    seen: MDM_LOST,
    detail: 'The connection to {place} failed: it does not speak TLS ({code})',
    why: 'The URL begins with `https://`, and the port speaks plain HTTP.',
    hint: 'Check the port of mdm.auth.loginUrl or mdm.baseUrl.',
  },
  'mdm-certificate': {
    seen: MDM_LOST,
    detail: 'The connection to {place} failed: its certificate is not trusted ({code})',
    why: 'The certificate is of a private CA, has expired, or is for another name; often a proxy that opens TLS.',
    hint: 'Set mdm.ca to the certificate of the CA, and check the host of the URL.',
  },
  'mdm-client-certificate': {
    seen: MDM_LOST,
    detail:
      'The connection to {place} failed: it does not accept the certificate of the client, or misses one ({code})',
    why: 'The service, or what is in front of it, asks clients for a certificate.',
    hint: 'Set mdm.cert and mdm.key, the certificate of the client, or renew it.',
  },
  'mdm-proxy': {
    seen: MDM_LOST,
    detail: 'The connection to {place} failed: the proxy opened no tunnel ({code})',
    why: '`mdm.proxy` is out of reach, or refuses the tunnel.',
    hint: 'Check host, port, user and password in mdm.proxy (percent-encoded), and its rules for this host.',
  },
  'mdm-broken': {
    seen: MDM_LOST,
    detail: 'The connection to {place} failed: it broke ({code})',
    why: 'The service, or something on the way, closed the connection.',
    hint: 'Failures like this are usually transient: repeat the call if the error is retryable.',
  },
  'mdm-unanswered': {
    seen: MDM_LATE,
    detail: '{place} did not answer in time: no answer to the connection',
    why: 'A firewall drops the packets. In a VPC, private subnets have no way to the internet.',
    hint: 'In a VPC, add a NAT gateway: the MDM is not an AWS service, so no endpoint exists for it. Or set mdm.proxy.',
  },
  'mdm-slow': {
    seen: MDM_LATE,
    detail: '{place} did not answer in time: connected, but the response is late',
    why: 'The service is slow or overloaded.',
    hint: 'mdm.timeoutMs is the time for a try. Ask for less: a smaller page, a narrower search.',
  },
  'mdm-late-change': {
    seen: MDM_LATE,
    detail: '{place} did not answer in time: connected, but the response is late',
    why: 'The call may not be repeated, and took longer than 25 s, or than the invocation.',
    hint: 'It may have been carried out. Look for its result before you make the call again.',
  },
  'mdm-html': {
    seen: '502 `MDM:SERVER_ERROR`',
    detail: '{place} answered with an HTML page{title}',
    why: 'A proxy, a sign-in page or a captive portal answered in place of the service.',
    hint: 'Check mdm.auth.loginUrl for the login, mdm.baseUrl for the API, and mdm.proxy.',
  },
  'mdm-login-refused': {
    seen: '502 `MDM:CLIENT_ERROR`',
    detail: '{place} refused the login of the configuration ({status}){words}',
    why: 'User or password are wrong, expired or locked. Logins pause for a growing time.',
    hint: 'Correct the credentials in mdm.auth of the secret. It is read again during the pause.',
  },
  'mdm-login-not-found': {
    seen: '502 `MDM:CLIENT_ERROR`',
    detail: '{place} answered {status}{type}: it has no login',
    why: 'The host of `loginUrl` is not that of a login service, or the URL has a path.',
    hint: 'mdm.auth.loginUrl is the address of the login service of your region, without a path.',
  },
  'mdm-login-incomplete': {
    seen: '502 `MDM:SERVER_ERROR`',
    detail: '{place} answered without a session, or without an HTTPS address of the API',
    why: 'The service at `loginUrl` speaks another kind of login.',
    hint: 'Check mdm.auth.type, or set mdm.baseUrl.',
  },
  'mdm-token': {
    seen: '502 `MDM:CLIENT_ERROR`',
    detail: '{place} gave no token ({status}){words}',
    why:
      'With `login-oauth`: the identity provider does not know the client, or not its scope. Logins pause for a ' +
      'growing time.',
    hint: 'Check tokenUrl, clientId, clientSecret, scope and audience in mdm.auth of the secret.',
  },
  'target-missing': {
    seen: 'the failure `LAMBDA:ResourceNotFoundException`',
    detail: 'There is no function {name}: its name is wrong, or it is not deployed in this account and region',
    why: 'The `target` of the consumer names no Lambda function.',
    hint: 'Correct target in ingest.consumer, or deploy the function. Its entries wait, and are then tried again.',
  },
  'target-denied': {
    seen: 'the failure `LAMBDA:AccessDeniedException`',
    detail: 'The role of the consumer lacks lambda:InvokeFunction on {name}, or the name is wrong: see consumerTargets',
    why: 'The deployment lets the consumer invoke only what `consumerTargets` names.',
    hint: 'Correct target in ingest.consumer, or deploy with consumerTargets.',
  },
  'target-unreachable': {
    seen: 'the failure `LAMBDA:CONNECTIVITY`',
    detail: 'Lambda is out of reach',
    why: 'Private subnets have no way to Lambda.',
    hint: 'In a VPC, add a NAT gateway or an endpoint for Lambda, and security groups that allow it.',
  },
} as const satisfies Record<string, Cause>;

export type CauseName = keyof typeof CAUSES;

/**
 * The text and the hint of an error, for a cause.
 *
 * @param values for the names in braces
 * @example
 * const { detail, hint } = describeCause('redis-refused', { address: 'cache:6379', code: 'ECONNREFUSED' });
 */
export function describeCause(
  name: CauseName,
  values: Readonly<Record<string, string>> = {},
): { detail: string; hint: string } {
  const { detail, hint } = CAUSES[name];
  return { detail: detail.replaceAll(/\{(\w+)\}/g, (_, value: string) => values[value] ?? ''), hint };
}
