import { allowsParameter } from './allowances.ts';
import { checkError } from './check-error.ts';
import { checkValue } from './check-value.ts';
import type { Member, Operation, Schema } from './csdl.ts';
import { NOTHING_EXPANDED, readExpand } from './expand.ts';
import type { Expanded } from './expand.ts';
import type { Findings, Problem } from './findings.ts';
import { createFindings, isRecord, report } from './findings.ts';
import type { Target } from './resolve-path.ts';
import { resolvePath } from './resolve-path.ts';
import { packagedSchema } from './schema.ts';

/** One answer of the service, before it leaves. */
export interface ResponseFacts {
  readonly method: string;
  /** Decoded path below `/v1.0` or `/beta`, without query. */
  readonly path: string;
  readonly expand: string | undefined;
  readonly status: number;
  /** The JSON of the body, as an object or as text; undefined when there is none or it is bytes. */
  readonly json: unknown;
}

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly json: unknown;
}

export interface Violation extends Problem {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Holds every response, and every request body, against the metadata of the service. */
export interface Validator {
  /** The violations of this response; they are also kept in `violations`. */
  checkResponse(facts: ResponseFacts): readonly Violation[];
  /** What is wrong with a request body, as one sentence for the 400; undefined when it is good. */
  checkRequest(facts: RequestFacts): string | undefined;
  readonly violations: readonly Violation[];
  /** How many responses were checked. */
  readonly checked: number;
}

/** 201 too: adding an app to a team answers no body. */
const WITHOUT_BODY = new Set([201, 202, 204, 302, 304]);
const KEEP = 1000;

/** The envelope of a collection or of a primitive: annotations and `value`. */
function checkEnvelope(findings: Findings, body: unknown): unknown {
  if (!isRecord(body)) {
    report(findings, 'is not an object with value');
    return undefined;
  }
  for (const [name, value] of Object.entries(body)) {
    if (name === 'value') continue;
    if (!/^@(odata|microsoft\.graph)\./.test(name)) report(findings, `${name} stands beside value`);
    else if (name.endsWith('Link') && typeof value !== 'string') report(findings, `${name} is not an address`);
  }
  if ('@odata.nextLink' in body && '@odata.deltaLink' in body) report(findings, 'a page has both nextLink and deltaLink');
  return body['value'];
}

function resultMember(facts: ResponseFacts, target: Target): Member | undefined {
  const { member, operation } = target;
  if (!member) return undefined;
  // A POST to a collection answers the one thing it made.
  return facts.method === 'POST' && !operation ? { ...member, isCollection: false } : member;
}

function checkBody(findings: Findings, facts: ResponseFacts, member: Member): void {
  const isWrapped = member.isCollection || member.type.startsWith('Edm.');
  const expanded: Expanded = readExpand(facts.expand);
  if (!isWrapped) {
    checkValue(findings, facts.json, member, expanded);
    return;
  }
  const value = checkEnvelope(findings, facts.json);
  findings.trail.push('value');
  if (value === undefined) report(findings, 'is missing');
  else checkValue(findings, value, member, expanded);
  findings.trail.pop();
}

function checkParameters(findings: Findings, body: Record<string, unknown>, operation: Operation): void {
  const parameters = new Map([...operation.parameters].map(([name, member]) => [name.toLowerCase(), member]));
  for (const [name, value] of Object.entries(body)) {
    if (name.includes('@')) continue;
    const member = parameters.get(name.toLowerCase());
    findings.trail.push(name);
    if (member) checkValue(findings, value, member, NOTHING_EXPANDED);
    else if (!allowsParameter(operation.name, name)) report(findings, `is no parameter of ${operation.name}`);
    findings.trail.pop();
  }
}

function parsed(json: unknown): unknown {
  return typeof json === 'string' ? (JSON.parse(json) as unknown) : json;
}

/** A validator over the packaged metadata, or over `schema`. Types are compiled when first met. */
export function createValidator(schema: Schema = packagedSchema()): Validator {
  const begin = createFindings(schema);
  const targets = new Map<string, Target | undefined>();
  const violations: Violation[] = [];
  let checked = 0;

  /** Paths differ in ids only; caching them by themselves would grow without end, so the cache is emptied when full. */
  function targetOf(path: string): Target | undefined {
    if (targets.has(path)) return targets.get(path);
    if (targets.size > 5000) targets.clear();
    const target = resolvePath(schema, path);
    targets.set(path, target);
    return target;
  }

  function inspect(findings: Findings, facts: ResponseFacts): void {
    if (facts.status >= 400) {
      if (facts.json !== undefined) checkError(findings, facts.json);
      return;
    }
    const target = targetOf(facts.path);
    if (!target) {
      report(findings, 'the metadata has no such path');
      return;
    }
    const member = resultMember(facts, target);
    if (facts.json === undefined) {
      if (!target.isStream && !WITHOUT_BODY.has(facts.status)) report(findings, 'a body is missing');
    } else if (target.isStream && facts.method === 'GET') report(findings, 'answers JSON though it is a stream');
    else if (member) checkBody(findings, facts, member);
    else report(findings, 'answers a body though it returns nothing');
  }

  return {
    checkResponse(facts) {
      checked += 1;
      const findings = begin('response');
      inspect(findings, { ...facts, json: parsed(facts.json) });
      if (findings.found.length === 0) return [];
      const { method, path, status } = facts;
      const found = findings.found.map(({ pointer, message }) => ({ method, path, status, pointer, message }));
      for (const violation of found) if (violations.length < KEEP) violations.push(violation);
      return found;
    },
    checkRequest({ path, json }) {
      const target = targetOf(path);
      if (!target || target.isStream || json === undefined) return undefined;
      const findings = begin('request');
      const { operation, member } = target;
      if (!isRecord(json)) report(findings, 'The body is not an object');
      else if (operation) checkParameters(findings, json, operation);
      else if (member) checkValue(findings, json, { ...member, isCollection: false }, NOTHING_EXPANDED);
      const [first] = findings.found;
      return first && `${first.pointer}: ${first.message}`;
    },
    get violations() {
      return violations;
    },
    get checked() {
      return checked;
    },
  };
}
