/*
 * Replaces `rapid-client.node`, the compiled part of aws-lambda-ric, so that no compiler is needed: the same three
 * calls to the Runtime API, over node:http. Loaded with --require before the runtime client.
 */
const { request } = require('node:http');
const Module = require('node:module');

const BASE = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;
let posted = Promise.resolve();

function send(method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const sent = request(`${BASE}${path}`, { method, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ bodyJson: Buffer.concat(chunks).toString(), headers: response.headers }));
    });
    sent.on('error', reject).end(body);
  });
}

const post = (path, body, headers) => {
  posted = send('POST', path, { 'content-type': 'application/json', ...headers }, body);
};

const rapidClient = {
  next: async () => {
    await posted; // the compiled client posts before it returns
    return send('GET', '/next', {});
  },
  done: (id, body) => post(`/${id}/response`, body),
  error: (id, body, xrayCause) =>
    post(`/${id}/error`, body, { 'lambda-runtime-function-xray-error-cause': encodeURIComponent(xrayCause) }),
};

const load = Module._load;
Module._load = (name, ...rest) => (name === './rapid-client.node' ? rapidClient : load(name, ...rest));
