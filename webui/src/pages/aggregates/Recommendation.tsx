import { Alert } from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { formatSize } from '../../base/sizes';
import { at } from '../../declarations/declarations';

/** How much room the recommended aggregate has, and which spares stay. */
export default function Recommendation({ record }: { record: Json | undefined }) {
  const { t, i18n } = useTranslation();
  const size = at(record, 'space.block_storage.size');
  return (
    <Alert
      component="h2"
      isInline
      variant={record ? 'info' : 'warning'}
      title={
        record
          ? t('Recommended of the spare disks: {{size}} usable, {{number}} spare disks stay', {
              size: formatSize(Number(size), i18n.language),
              number: at(record, 'recommendation.spares_left'),
            })
          : t('There are too few spare disks of one type and size for a protected aggregate.')
      }
    />
  );
}
