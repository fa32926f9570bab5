let oldVariableName = 1;
use(oldVariableName, oldVariableName);
