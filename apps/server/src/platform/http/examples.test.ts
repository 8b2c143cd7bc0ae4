import * as groups from '@krapao/contract/operator';
import type { CallDeclaration } from '@krapao/contract/shared';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { openapiDocuments } from '../../openapi.ts';
import { exampleOf } from './examples.ts';

const isCall = (value: unknown): value is CallDeclaration =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
const CALLS = Object.values(groups).flatMap((group) => Object.values(group as object).filter(isCall));

test('the example of every operator call fits its declaration and is in the document', async () => {
  const { operator } = (await openapiDocuments()) as unknown as {
    operator: { paths: Record<string, Record<string, { 'x-codeSamples'?: { source: string }[] }>> };
  };
  expect(CALLS.length).toBeGreaterThan(100);
  for (const { path, method, body, permission, multipart } of CALLS) {
    if (multipart) continue;
    const sample = operator.paths[path]?.[method.toLowerCase()]?.['x-codeSamples']?.[0]?.source;
    expect([path, sample]).toEqual([path, expect.stringMatching(/^curl /)]);
    expect([path, sample?.includes('Bearer')]).toEqual([path, Boolean(permission)]);
    if (!body) continue;
    const example = exampleOf(body);
    expect([path, [...Value.Errors(body, example)]]).toEqual([path, []]);
    expect(sample).toContain(JSON.stringify(example).replaceAll("'", "'\\''"));
  }
});
