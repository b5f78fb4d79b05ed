import { Link } from '@fluentui/react-components';
import type { ReactElement, ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router';

interface RouterLinkProps {
  readonly to: string;
  /** What the page is told beside its address, which is shared and logged. */
  readonly state?: unknown;
  readonly children: ReactNode;
}

/** A link to another page of the portal. */
export function RouterLink({ to, state, children }: RouterLinkProps): ReactElement {
  const href = useHref(to);
  const handleClick = useLinkClickHandler(to, { state });
  return (
    <Link href={href} onClick={(event) => handleClick(event)}>
      {children}
    </Link>
  );
}
