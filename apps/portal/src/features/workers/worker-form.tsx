import { workerBody, workers } from '@holdfast/contract/workers';
import type { Worker } from '@holdfast/contract/workers';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';

/** Name and addresses of a worker. They identify it, and are never dialled. */
export function WorkerForm({ worker, onClose }: { readonly worker: Worker; readonly onClose: () => void }): ReactElement {
  const text = useText();
  const update = useChange(workers.update, { success: 'successes.workerUpdated' });
  const form = useSchemaForm(workerBody, { name: worker.name, ip: worker.ip, indexIp: worker.indexIp });
  return (
    <DetailDrawer title={worker.name} onClose={onClose}>
      <Form
        form={form}
        label={text('common.edit')}
        onSubmit={(body) =>
          update.mutate(
            { params: { workerId: worker.workerId }, body },
            {
              onSuccess: onClose,
              onError: (error) => {
                if (!(error instanceof ApiError)) return;
                showServerFaults(form, error.code === 'workers.address-taken' ? { ip: [error.message] } : error.fields);
              },
            },
          )
        }
      >
        <TextField name="name" label={text('common.name')} required />
        <TextField name="ip" label={text('signIn.workerAddress')} required />
        <TextField name="indexIp" label={text('signIn.workerIndex')} hint={text('workers.addressHint')} required />
        <FormButtons isBusy={update.isPending} submit={text('common.save')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
