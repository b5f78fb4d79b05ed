import { makeStyles } from '@fluentui/react-components';
import { isDrawn } from '@holdfast/contract/content';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { KindIcon } from './kind-icon.tsx';
import { useTicket } from './use-ticket.ts';
import type { ItemPlace } from './use-ticket.ts';

const useStyles = makeStyles({
  // Laid over its place: a high page would make its tile higher than the others and hide the names of the line above.
  picture: { position: 'absolute', top: 0, left: 0, width: '100%', height: '100%', objectFit: 'contain' },
  icon: { fontSize: '48px' },
});

export interface ThumbnailProps {
  readonly place: ItemPlace;
  readonly node: { readonly kind: string; readonly name: string };
  /** Each picture that is shown is an opening, and logged with this; without a reason there is the icon of its kind. */
  readonly reason: string | null;
}

/** What a picture or the first page of a PDF file looks like, for a tile; the icon of its kind for everything else. */
export function Thumbnail({ place, node, reason }: ThumbnailProps): ReactElement {
  const styles = useStyles();
  const ticket = useTicket(place);
  const found = useQuery({
    queryKey: ['content', 'thumbnail', place],
    queryFn: ({ signal }) => ticket.page(reason ?? '', { page: 1, size: 'thumbnail' }, signal),
    enabled: reason !== null && node.kind === 'file' && isDrawn(node.name),
    // Each opening is in the audit log: once is enough.
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
  // A picture stays in the cache after thumbnails were hidden, but is not shown.
  if (reason === null || found.data === undefined) return <KindIcon node={node} className={styles.icon} />;
  return <img className={styles.picture} src={`data:image/webp;base64,${found.data.picture}`} alt="" />;
}
