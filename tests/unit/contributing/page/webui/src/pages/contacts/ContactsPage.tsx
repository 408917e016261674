import { useTranslation } from 'react-i18next';

import { PageHead } from '../../base/PageHead';

/** People who know the array. */
export default function ContactsPage() {
  const { t } = useTranslation();
  return (
    <div className="page">
      <PageHead title={t('Contacts')} help={t('Call them when the array needs a hand.')} />
    </div>
  );
}
