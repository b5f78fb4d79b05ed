import { allowsAnnotation, allowsProperty, isImplicitlyExpanded } from './allowances.ts';
import type { Member } from './csdl.ts';
import type { Expanded } from './expand.ts';
import { NOTHING_EXPANDED } from './expand.ts';
import type { Findings, Shape } from './findings.ts';
import { isRecord, report } from './findings.ts';
import { REQUEST_PRIMITIVES, RESPONSE_PRIMITIVES } from './primitives.ts';

/**
 * `$expand=microsoft.graph.sitePage/canvasLayout` and `$expand=canvasLayout` both expand the property; `*` stands for
 * what a page token keeps to itself, and expands all at any depth.
 */
function expansionOf(expanded: Expanded, name: string): Expanded | undefined {
  const direct = expanded.get(name);
  if (direct) return direct;
  for (const [key, below] of expanded) if (key.endsWith(`/${name}`)) return below;
  return expanded.has('*') ? expanded : undefined;
}

function isRemoval(record: Record<string, unknown>): boolean {
  return '@removed' in record;
}

function checkRemoval(findings: Findings, record: Record<string, unknown>): void {
  const allowed = new Set(['@removed', 'id', '@odata.type', '@odata.id', '@odata.etag']);
  for (const name of Object.keys(record)) {
    if (!allowed.has(name)) report(findings, `${name} stands beside @removed, which takes an id alone`);
  }
  if (typeof record['id'] !== 'string') report(findings, 'a removed entry has no id');
}

function actualType(findings: Findings, record: Record<string, unknown>, declared: string): string {
  const stated = record['@odata.type'];
  if (stated === undefined) return declared;
  const { schema } = findings;
  const name = typeof stated === 'string' ? stated.replace(/^#/, '') : '';
  const full = name.startsWith('microsoft.') ? name : `microsoft.${name}`;
  if (!schema.structured(full)) report(findings, `@odata.type ${JSON.stringify(stated)} is no type of the metadata`);
  else if (!schema.derives(full, declared)) report(findings, `@odata.type ${full} does not derive from ${declared}`);
  else return full;
  return declared;
}

function checkAnnotation(findings: Findings, shape: Shape, name: string): void {
  if (findings.mode === 'request' || name.startsWith('@odata.') || name.startsWith('@microsoft.graph.')) return;
  const [property = '', term = ''] = name.split('@');
  const isKnown = shape.properties.has(property) || shape.navigation.has(property);
  const isAllowed = allowsAnnotation(name) || (isKnown && /^(odata|microsoft\.graph)\./.test(term));
  if (!isAllowed && name !== '@removed') report(findings, `annotation ${name} is not allowed`);
}

function checkNavigation(findings: Findings, value: unknown, navigation: Member, below: Expanded | undefined): void {
  if (findings.mode === 'response' && !below) report(findings, `navigation property ${String(findings.trail.at(-1))} was not expanded`);
  checkValue(findings, value, navigation, below ?? NOTHING_EXPANDED);
}

function isImplicit(shape: Shape, name: string): boolean {
  return shape.ancestry.some((type) => isImplicitlyExpanded(type, name));
}

function checkNamed(findings: Findings, shape: Shape, [name, value]: [string, unknown], expanded: Expanded): void {
  const property = shape.properties.get(name);
  // A stream stands inline only where an example of the reference shows it so.
  if (property?.type === 'Edm.Stream' && typeof value === 'string' && shape.ancestry.some((type) => allowsProperty(type, name))) return;
  if (property) {
    checkValue(findings, value, property, NOTHING_EXPANDED);
    return;
  }
  const navigation = shape.navigation.get(name);
  if (navigation) {
    checkNavigation(findings, value, navigation, isImplicit(shape, name) ? NOTHING_EXPANDED : expansionOf(expanded, name));
    return;
  }
  if (shape.ancestry.some((type) => allowsProperty(type, name))) return;
  report(findings, `${name} is no property of ${shape.ancestry[0] ?? 'this type'}`);
}

function checkRecord(findings: Findings, value: unknown, type: string, expanded: Expanded): void {
  if (!isRecord(value)) {
    report(findings, `is not an object of ${type}`);
    return;
  }
  if (isRemoval(value)) {
    checkRemoval(findings, value);
    return;
  }
  const shape = findings.shapeOf(actualType(findings, value, type));
  for (const entry of Object.entries(value)) {
    if (entry[1] === undefined) continue;
    if (entry[0].includes('@')) {
      checkAnnotation(findings, shape, entry[0]);
      continue;
    }
    findings.trail.push(entry[0]);
    checkNamed(findings, shape, entry, expanded);
    findings.trail.pop();
  }
}

function checkEnum(findings: Findings, value: unknown, type: string): boolean {
  const enumeration = findings.schema.enumeration(type);
  if (!enumeration) return false;
  const parts = typeof value === 'string' ? (enumeration.isFlags ? value.split(',') : [value]) : [];
  const isKnown = parts.length > 0 && parts.every((part) => enumeration.members.has(part.trim()));
  if (!isKnown) report(findings, `${JSON.stringify(value)} is no member of ${type}`);
  return true;
}

function checkSingle(findings: Findings, value: unknown, member: Member, expanded: Expanded): void {
  if (value === null) {
    if (!member.isNullable) report(findings, 'is null');
    return;
  }
  const primitives = findings.mode === 'response' ? RESPONSE_PRIMITIVES : REQUEST_PRIMITIVES;
  const primitive = primitives[member.type];
  if (primitive) {
    const problem = primitive(value);
    if (problem !== undefined) report(findings, problem);
    return;
  }
  if (!checkEnum(findings, value, member.type)) checkRecord(findings, value, member.type, expanded);
}

/** Checks `value` as `member`, a collection or a single value; `expanded` are the navigation properties it may carry. */
export function checkValue(findings: Findings, value: unknown, member: Member, expanded: Expanded): void {
  if (!member.isCollection) {
    checkSingle(findings, value, member, expanded);
    return;
  }
  if (!Array.isArray(value)) {
    report(findings, value === null ? 'is a null collection' : 'is not a collection');
    return;
  }
  const single = { ...member, isCollection: false };
  for (const [index, element] of value.entries()) {
    findings.trail.push(index);
    checkSingle(findings, element, single, expanded);
    findings.trail.pop();
  }
}
