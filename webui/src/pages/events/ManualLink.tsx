import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';

/** The manual's page of a kind of event: checks, remedies, and when to call for help. */
export function ManualLink({ record }: { record: Json }) {
  const { t } = useTranslation();
  return (
    <a href={record['manual'] as string} target="_blank">
      {t('What to look at, what to do, when to call for help')}
    </a>
  );
}
