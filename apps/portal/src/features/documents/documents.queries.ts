import { documents } from '@holdfast/contract/documents';
import type { DocumentFile } from '@holdfast/contract/documents';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import { apiOf } from '../../api/query-client.ts';
import { saveFile } from '../../api/save-file.ts';

/** Saves a file; none is larger than a few megabytes. */
export function useSave(): UseMutationResult<void, Error, DocumentFile> {
  const queries = useQueryClient();
  return useMutation<void, Error, DocumentFile>({
    mutationFn: async ({ fileName, abbr, documentType }) => {
      const { blob } = await apiOf(queries).download(documents.download, { params: { fileName, abbr, documentType } });
      saveFile(blob, fileName);
    },
    meta: { download: true },
  });
}
