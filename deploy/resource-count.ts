import { asynchronousOf } from './asynchronous.ts';
import { deployedFunctions, routesOf } from './functions.ts';
import type { Deployment } from './parameters.ts';
import { furtherResources } from './template.ts';

/** The most resources that CloudFormation allows in a stack. */
export const MOST_RESOURCES = 500;

/** The deployment bucket, and its policy. */
const BUCKET_RESOURCES = 2;
/** The API and its stage; its log group is among ours if there is no API. */
const API_RESOURCES = 3;
/** A permission and an integration, of each function that has routes. */
const ROUTE_RESOURCES = 2;

/** How many resources the stack will have, those of the framework among them. */
export function resourceCount(deployment: Deployment): number {
  const functions = deployedFunctions(deployment);
  const routes = functions.map((one) => routesOf(one, deployment).length);
  const asynchronous = functions.filter((one) =>
    Object.values(asynchronousOf(one, deployment)).some((value) => value !== undefined),
  );
  const routed = routes.filter((count) => count > 0);
  return (
    Object.keys(furtherResources(deployment)).length +
    BUCKET_RESOURCES +
    2 * functions.length + // the function and its log group
    asynchronous.length +
    routes.reduce((sum, count) => sum + count, 0) +
    ROUTE_RESOURCES * routed.length +
    (routed.length > 0 ? API_RESOURCES + Number(deployment.authorizer === 'jwt') : 0)
  );
}
