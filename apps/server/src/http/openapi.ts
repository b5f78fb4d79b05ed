import { errors } from '@holdfast/contract/errors';
import { basePaths, type BasePaths } from '@holdfast/contract/limits';
import { opensToKeys, type Route } from '@holdfast/contract/route';
import { problem } from '@holdfast/contract/values';
import { z } from 'zod';
import type { NamedRoute } from './every-route.ts';

type JsonSchema = Record<string, unknown>;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return rest;
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): JsonSchema[] {
  if (!schema) return [];
  const object = schemaOf(schema, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(object.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || object.required?.includes(name) === true,
    schema: property,
  }));
}

function successOf(route: Route): JsonSchema {
  const { response } = route;
  if (response === 'empty') return { description: 'Done; no content.' };
  if (response === 'download')
    return { description: 'A file.', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } };
  if (response === 'events')
    return { description: 'A stream of events.', content: { 'text/event-stream': { schema: { type: 'string' } } } };
  return { description: 'The answer.', content: { 'application/json': { schema: schemaOf(response, 'output') } } };
}

function failuresOf(route: Route): Record<string, JsonSchema> {
  const byStatus = new Map<number, string[]>();
  const common = route.action === 'public' ? [] : (['unauthorized', 'access-denied'] as const);
  for (const code of [
    ...common,
    ...(route.body || route.query ? (['request.invalid'] as const) : []),
    ...(route.params ? (['not-found'] as const) : []),
    ...(route.errors ?? []),
  ]) {
    const codes = byStatus.get(errors[code]) ?? [];
    if (!codes.includes(code)) byStatus.set(errors[code], [...codes, code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      { description: codes.join(', '), content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
    ]),
  );
}

function securityOf(route: Route): JsonSchema[] {
  if (route.action === 'public') return [];
  if (route.surface === 'legacy') return [{ legacy: [] }];
  return [{ main: [] }, ...(opensToKeys(route) ? [{ apiKey: [] }] : [])];
}

function operationOf({ feature, route }: NamedRoute): JsonSchema {
  const body = route.body && {
    required: true,
    content: { [route.consumes === 'multipart' ? 'multipart/form-data' : 'application/json']: { schema: schemaOf(route.body, 'input') } },
  };
  const upload =
    !body && route.consumes === 'multipart'
      ? { required: true, content: { 'multipart/form-data': { schema: { type: 'object' } } } }
      : undefined;
  const requestBody = body ?? upload;
  return {
    tags: [feature],
    summary: route.summary,
    'x-action': route.action,
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(requestBody ? { requestBody } : {}),
    responses: { [String(route.status ?? 200)]: successOf(route), ...failuresOf(route) },
    security: securityOf(route),
  };
}

/**
 * The OpenAPI 3.1 document of the contract. The staging surface repeats the main one over other data
 * and is told of in words, so that the document stays readable.
 */
export function openapiOf(routes: readonly NamedRoute[], version: string, { main, staging }: BasePaths = basePaths): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const named of [...routes].sort((a, b) => (a.path + a.route.method).localeCompare(b.path + b.route.method, 'en'))) {
    const path = named.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[named.route.method.toLowerCase()] = operationOf(named);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version,
      description: `The API of Holdfast. \`${staging}\` answers the same calls as \`${main}\` over the staging realm, with staging tokens, and so the calls of the configuration. Errors are problem documents; lists are paged by cursor.`,
    },
    paths,
    components: {
      schemas: { Problem: schemaOf(problem, 'output') },
      securitySchemes: {
        main: { type: 'http', scheme: 'bearer' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (hf_key_…), created under Users. It opens only the calls that name it here, as far as its role allows.',
        },
        legacy: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The raw legacy token.' },
      },
    },
  };
}
