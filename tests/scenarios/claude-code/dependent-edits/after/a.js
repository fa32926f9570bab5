// API URL updated to HTTPS
const API_URL = 'https://new-api.com'
