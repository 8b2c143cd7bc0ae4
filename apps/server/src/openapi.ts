import type { CallsDeps } from './calls.ts';
import { declareCalls } from './calls.ts';
import { declareOperatorCalls, type OperatorCallsDeps } from './operator-calls.ts';
import { readConfig } from './platform/config.ts';
import { adaptersDocument } from './platform/http/adapters-document.ts';
import { callDeclarer } from './platform/http/declare.ts';
import { operatorDeclarer } from './platform/http/declare-operator.ts';
import { documentCalls } from './platform/http/openapi.ts';
import { createHttpServer } from './platform/http/server.ts';

/** Builds the OpenAPI documents of the member and operator APIs. */
export const openapiDocuments = async (): Promise<Record<string, object>> => ({
  member: await memberDocument(),
  operator: await operatorDocument(),
  adapters: adaptersDocument(),
});

/** Builds the document from the declared routes. Needs no database, because no handler runs. */
async function memberDocument(): Promise<object> {
  const app = await createHttpServer(readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' }));
  await documentCalls(app);
  await app.register(async (scope) => {
    // Declaring a call does not use its dependencies, so none are needed here.
    declareCalls(callDeclarer(scope, {} as CallsDeps), {} as CallsDeps);
  });
  await app.ready();
  return app.swagger();
}

/** Builds the document of the operator API, which the console's origin serves. */
async function operatorDocument(): Promise<object> {
  const app = await createHttpServer(readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' }));
  await documentCalls(app, 'operator');
  await app.register(async (scope) => {
    const door = () => Promise.resolve(null);
    declareOperatorCalls(operatorDeclarer(scope, door), {} as OperatorCallsDeps, { app: scope, door });
  });
  await app.ready();
  return app.swagger();
}
