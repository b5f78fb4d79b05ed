import { savedSearches } from '@holdfast/contract/saved-searches';
import type { SavedSearch } from '@holdfast/contract/saved-searches';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface DeleteSearchProps {
  readonly tenantId: string;
  readonly saved: SavedSearch;
  readonly onClose: () => void;
}

/** Deletes a saved search, unless something uses it: then it names what does. */
export function DeleteSearch({ tenantId, saved, onClose }: DeleteSearchProps): ReactElement | null {
  const text = useText();
  const params = { tenantId, searchId: saved.searchId };
  const uses = useQuery(read(savedSearches.uses, { params }));
  const remove = useChange(savedSearches.remove, { success: 'successes.searchDeleted' });
  const used = uses.data?.items ?? [];
  if (uses.isPending) return null;
  return (
    <ConfirmDialog
      title={text('search.saved.deleteTitle', { name: saved.name })}
      text={text(used.length > 0 ? 'search.saved.inUse' : 'search.saved.deleteText')}
      button={used.length > 0 ? text('common.close') : text('search.saved.delete')}
      destructive={used.length === 0}
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => {
        if (used.length > 0) onClose();
        else remove.mutate({ params }, { onSuccess: onClose });
      }}
    >
      {used.length > 0 && (
        <ul>
          {used.map((use) => (
            <li key={use.id}>{text('search.saved.use', { kind: text(`search.saved.uses.${use.kind}`), name: use.name })}</li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}
