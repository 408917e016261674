import { useTranslation } from 'react-i18next';

import { PageHead } from '../../resources/PageHead';
import { PasswordForm } from '../../session/PasswordForm';
import { tell } from '../../shell/notice';
import { useGoOn } from '../../shell/presence';

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
