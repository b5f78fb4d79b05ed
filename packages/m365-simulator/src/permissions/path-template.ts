/**
 * A path as `permissions.json` and the table of routes write it. `{id}` and `{value}` stand for one segment; `{path}` and
 * `{name}` after `:/` for everything up to the next colon. Literals are compared without case.
 */
export interface PathTemplate {
  readonly text: string;
  /** The values of the placeholders in order, or undefined when `path` is another one. */
  match(path: string): readonly string[] | undefined;
  /** More literal segments win where two templates fit: `/users/delta` before `/users/{id}`. */
  readonly weight: number;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function patternOf(template: string): string {
  const parts = template.split(/(\{[a-z]+\})/);
  return parts
    .map((part, index) => {
      if (!part.startsWith('{')) return escape(part);
      const isRest = parts[index - 1]?.endsWith(':/') ?? false;
      return isRest ? '([^:]+?)' : '([^/:]+?)';
    })
    .join('');
}

function weigh(template: string): number {
  return template.split('/').filter((segment) => segment !== '' && !segment.includes('{')).length * 2 + (template.includes(':/') ? 1 : 0);
}

/** `users('x')/messages('y')` is another spelling of `users/x/messages/y`. */
export function plainKeys(path: string): string {
  return path.replaceAll(/\('([^']*)'\)/g, '/$1');
}

/** Compiles a template. A final colon after path addressing is optional, as in the service. */
export function compileTemplate(template: string): PathTemplate {
  const isAddressed = /:\/\{[a-z]+\}$/.test(template);
  const pattern = new RegExp(`^${patternOf(template)}${isAddressed ? ':?' : ''}/?$`, 'i');
  return {
    text: template,
    weight: weigh(template),
    match(path) {
      const match = pattern.exec(template.includes('(period={value})') ? path : plainKeys(path));
      return match ? match.slice(1) : undefined;
    },
  };
}
