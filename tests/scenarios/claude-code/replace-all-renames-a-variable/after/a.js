let newVariableName = 1;
use(newVariableName, newVariableName);
