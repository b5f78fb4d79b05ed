import { useText } from '../../i18n/use-text.ts';

/** What links and rights are called in Microsoft Graph. */
const editing: ReadonlySet<string> = new Set(['edit', 'write']);
const viewing: ReadonlySet<string> = new Set(['view', 'read']);

/** What a right lets somebody do. Levels of a site's own can be called anything and are left as they are. */
export function useRoleText(): (role: string) => string {
  const text = useText();
  return (role) => {
    if (editing.has(role)) return text('compliance.mayEdit');
    if (viewing.has(role)) return text('compliance.mayView');
    return role === 'owner' ? text('compliance.owns') : role;
  };
}
