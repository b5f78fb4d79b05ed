import { Link } from '@fluentui/react-components';
import type { ReactElement, ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router';

/** A link to another page of the portal. */
export function RouterLink({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactElement {
  const href = useHref(to);
  const handleClick = useLinkClickHandler(to);
  return (
    <Link href={href} onClick={(event) => handleClick(event)}>
      {children}
    </Link>
  );
}
