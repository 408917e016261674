import { useTranslation } from 'react-i18next';

import { tell } from '../../base/notice';
import { PageHead } from '../../base/PageHead';
import { useGoOn } from '../../base/presence';
import { PasswordForm } from '../../session/PasswordForm';

export default function PasswordPage() {
  const { t } = useTranslation();
  const goOn = useGoOn();
  return (
    <div className="page page-narrow">
      <PageHead title={t('Change password')} />
      <div className="card">
        <PasswordForm
          onDone={() => {
            tell('success', t('Your password was changed'));
            goOn('/');
          }}
        />
      </div>
    </div>
  );
}
